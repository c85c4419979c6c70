import { type Theme, withBase } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import ObjectPicture from './landing/object-picture.vue'
import Layout from './layout.vue'
import './style/colours.css'
import './style/code.css'
import './style/landing.css'
import './style/pictures.css'
import './style/print.css'
import './style/reference.css'
import './style/screenshots.css'
import './style/search.css'
import './style/try-it.css'
import TryIt from './try-it/try-it.vue'

export default {
  extends: DefaultTheme,
  Layout,
  enhanceApp: ({ app }) => {
    app.config.globalProperties.$withBase = withBase
    app.component('TryIt', TryIt)
    app.component('ObjectPicture', ObjectPicture)
  },
} satisfies Theme
